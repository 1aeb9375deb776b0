; The installer for Windows: for the person alone, without an administrator. makensis gets VERSION, NUMBERS, BIN, ICON, PLUGINS, LICENSE and OUT.
; Silent: Dormouse-...-setup.exe /S [/D=folder], and uninstall.exe /S.
Unicode true
Target amd64-unicode
!include "MUI2.nsh"
!include "FileFunc.nsh"

Name "Dormouse"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Dormouse"
InstallDirRegKey HKCU "Software\Dormouse" "Folder"
RequestExecutionLevel user
!ifdef QUICK
  SetCompressor zlib
!else
  SetCompressor /SOLID lzma
!endif
SetDateSave off ; the same programs make the same installer
BrandingText "Dormouse ${VERSION}"
VIProductVersion "${NUMBERS}"
VIAddVersionKey "ProductName" "Dormouse"
VIAddVersionKey "FileDescription" "Dormouse setup"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "CompanyName" "The Dormouse developers"
VIAddVersionKey "LegalCopyright" "The Dormouse developers, Apache-2.0"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\dormouse-desktop.exe"
!define MUI_FINISHPAGE_RUN_TEXT "Open Dormouse"
!insertmacro MUI_PAGE_LICENSE "${LICENSE}"
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"
!insertmacro MUI_LANGUAGE "SimpChinese"

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Dormouse"
; Windows has this folder on everybody's PATH.
!define SHIM "$LOCALAPPDATA\Microsoft\WindowsApps\dormouse.cmd"

; Files of programs that run can't be replaced: an older version is asked to end first.
!macro quiet
  IfFileExists "$INSTDIR\dormouse.exe" 0 +2
    nsExec::Exec '"$INSTDIR\dormouse.exe" service stop'
  nsExec::Exec 'taskkill /F /IM dormouse.exe' ; one that hangs
  nsExec::Exec 'taskkill /F /IM dormouse-tray.exe'
  nsExec::Exec 'taskkill /F /IM dormouse-desktop.exe'
!macroend

Section "Dormouse" program
  SectionIn RO
  !insertmacro quiet
  IfFileExists "$LOCALAPPDATA\Programs\*.*" +2 0
    WriteRegStr HKCU "Software\Dormouse" "Made" "$LOCALAPPDATA\Programs" ; Windows has it with the first program of a person alone
  SetOutPath "$INSTDIR"
  File "${BIN}\dormouse.exe"
  File "${BIN}\dormouse-hook.exe"
  File "${BIN}\dormouse-tray.exe"
  File "${BIN}\dormouse-desktop.exe"
  File /oname=LICENSE.txt "${LICENSE}"
  SetOutPath "$INSTDIR\plugins"
  File /r "${PLUGINS}/*"
  SetOutPath "$INSTDIR"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Dormouse.lnk" "$INSTDIR\dormouse-desktop.exe"
  IfFileExists "$LOCALAPPDATA\Microsoft\WindowsApps\*.*" 0 without
    FileOpen $0 "${SHIM}" w
    FileWrite $0 '@"$INSTDIR\dormouse.exe" %*$\r$\n'
    FileClose $0
  without:
  WriteRegStr HKCU "Software\Dormouse" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Dormouse"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\dormouse-desktop.exe"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Dormouse developers"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0
SectionEnd

Section "Start when I log on" logon
  nsExec::ExecToLog '"$INSTDIR\dormouse.exe" service install --tray'
SectionEnd

LangString about ${LANG_ENGLISH} "The service, the window, the tray icon and the command line."
LangString about ${LANG_GERMAN} "Der Dienst, das Fenster, das Symbol in der Taskleiste und die Befehlszeile."
LangString about ${LANG_SIMPCHINESE} "后台服务、窗口、托盘图标和命令行。"
LangString start ${LANG_ENGLISH} "Service and tray icon start with you. Nothing is sent anywhere."
LangString start ${LANG_GERMAN} "Dienst und Symbol starten mit der Anmeldung. Nichts wird irgendwohin gesendet."
LangString start ${LANG_SIMPCHINESE} "服务和托盘图标随登录启动。不会向任何地方发送数据。"
!insertmacro MUI_FUNCTION_DESCRIPTION_BEGIN
  !insertmacro MUI_DESCRIPTION_TEXT ${program} $(about)
  !insertmacro MUI_DESCRIPTION_TEXT ${logon} $(start)
!insertmacro MUI_FUNCTION_DESCRIPTION_END

; The memory stays: "dormouse uninstall --purge" before this removes it too.
Section "Uninstall"
  nsExec::ExecToLog '"$INSTDIR\dormouse.exe" uninstall --yes'
  !insertmacro quiet
  Delete "$SMPROGRAMS\Dormouse.lnk"
  Delete "${SHIM}"
  Delete "$INSTDIR\dormouse.exe"
  Delete "$INSTDIR\dormouse-hook.exe"
  Delete "$INSTDIR\dormouse-tray.exe"
  Delete "$INSTDIR\dormouse-desktop.exe"
  Delete "$INSTDIR\LICENSE.txt"
  RMDir /r "$INSTDIR\plugins"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  ReadRegStr $0 HKCU "Software\Dormouse" "Made"
  StrCmp $0 "" +2 0
    RMDir "$0" ; where no other program lies in it
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "Software\Dormouse"
SectionEnd
