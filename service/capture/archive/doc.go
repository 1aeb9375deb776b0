// Package archive reads the data exports of whole accounts: many conversations in one file, in several, in a folder, or in the zip
// file that was downloaded.
//
// A conversation is read whole, one at a time; the export is not. What a zip file holds is unpacked into a temporary file that loses
// its name as soon as it is made, where the system allows that, since it is not redacted yet.
//
// Images that a conversation names lie beside it in the folder or the zip file. They are handed on only to who asks for them, and never
// unpacked anywhere else.
//
// It knows no agent's format, never writes to an export, and is never used on files that were not named by the person.
package archive
