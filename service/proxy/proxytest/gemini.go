package proxytest

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// SignCall is the signature that this provider gives to a call.
func SignCall(name string, args any) string {
	b, _ := json.Marshal(args) // as it was decoded
	return Sign(name + string(b))
}

// The fields of Gemini's objects, as https://ai.google.dev/api/generate-content and .../api/caching list them (its own description of
// its interface, under CC BY 4.0; the names alone are taken). Gemini refuses each name that it does not know.
var geminiFields = map[string][]string{
	"request": {"contents", "tools", "toolConfig", "safetySettings", "systemInstruction", "generationConfig", "cachedContent", "labels", "serviceTier", "store"},
	"content": {"parts", "role"},
	"part": {"thought", "thoughtSignature", "partMetadata", "mediaResolution", "text", "inlineData", "functionCall", "functionResponse", "fileData", "executableCode",
		"codeExecutionResult", "videoMetadata"},
	"functionCall":     {"id", "name", "args"},
	"functionResponse": {"id", "name", "response", "parts", "willContinue", "scheduling"},
	"tool":             {"functionDeclarations", "googleSearchRetrieval", "codeExecution", "googleSearch", "computerUse", "urlContext", "fileSearch", "googleMaps"},
	"function":         {"name", "description", "behavior", "parameters", "parametersJsonSchema", "response", "responseJsonSchema"},
	"toolConfig":       {"functionCallingConfig", "retrievalConfig"},
	"functionCalling":  {"mode", "allowedFunctionNames", "streamFunctionCallArguments"},
}

// geminiData are the fields of which a part has one.
var geminiData = []string{"text", "inlineData", "functionCall", "functionResponse", "fileData", "executableCode", "codeExecutionResult"}

var functionName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$`)

// Generate says why a request of Gemini's generateContent would be refused; nil where it would be taken.
func Generate(body []byte) error {
	m, err := decode(body)
	if err != nil {
		return err
	}
	if err := fieldsOf("request", m); err != nil {
		return err
	}
	declared, err := geminiTools(m)
	if err != nil {
		return err
	}
	list, _ := m["contents"].([]any)
	if len(list) == 0 {
		return errors.New("contents is not specified")
	}
	g := geminiRules{declared: declared}
	for i, x := range list {
		if err := g.content(x, i == 0); err != nil {
			return fmt.Errorf("contents[%d]: %w", i, err)
		}
	}
	if g.last == "model" {
		return errors.New("the last content has to be the user's")
	}
	return nil
}

// fieldsOf says which field of an object is not known.
func fieldsOf(kind string, m map[string]any) error {
	for k := range m {
		if !slices.Contains(geminiFields[kind], k) {
			return fmt.Errorf("invalid JSON payload received. Unknown name %q at %q: Cannot find field", k, kind)
		}
	}
	return nil
}

// objectAt is an object in a field, with known fields alone; nil where there is none.
func objectAt(m map[string]any, field, kind string) (map[string]any, error) {
	v, there := m[field]
	if !there {
		return nil, nil
	}
	o, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s has to be an object", field)
	}
	return o, fieldsOf(kind, o)
}

func geminiTools(m map[string]any) (map[string]bool, error) {
	declared, lists := map[string]bool{}, 0
	list, _ := m["tools"].([]any)
	for _, x := range list {
		tool, _ := x.(map[string]any)
		if err := fieldsOf("tool", tool); err != nil {
			return nil, err
		}
		functions, _ := tool["functionDeclarations"].([]any)
		if len(functions) > 0 {
			lists++
		}
		for _, f := range functions {
			if err := geminiFunction(f, declared); err != nil {
				return nil, err
			}
		}
	}
	if lists > 1 {
		return nil, errors.New("multiple tools are supported only when they are all search tools")
	}
	config, err := objectAt(m, "toolConfig", "toolConfig")
	if err != nil {
		return nil, err
	}
	calling, err := objectAt(config, "functionCallingConfig", "functionCalling")
	if mode, ok := calling["mode"]; err == nil && ok && !slices.Contains([]any{"AUTO", "ANY", "NONE", "VALIDATED", "MODE_UNSPECIFIED"}, mode) {
		err = fmt.Errorf("mode: %v is none", mode)
	}
	return declared, err
}

func geminiFunction(v any, declared map[string]bool) error {
	f, _ := v.(map[string]any)
	if err := fieldsOf("function", f); err != nil {
		return err
	}
	name, _ := f["name"].(string)
	switch {
	case !functionName.MatchString(name):
		return fmt.Errorf("invalid function name %q", name)
	case declared[name]:
		return fmt.Errorf("duplicate function declaration found: %s", name)
	}
	declared[name] = true
	if p, ok := f["parameters"]; ok {
		return geminiSchema(p)
	}
	return nil
}

// geminiSchema holds parameters to Gemini's schema, whose types have names in capitals.
func geminiSchema(v any) error {
	s, _ := v.(map[string]any)
	if !slices.Contains([]any{"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"}, s["type"]) {
		return fmt.Errorf("invalid value at 'parameters.type': %v", s["type"])
	}
	properties, _ := s["properties"].(map[string]any)
	for _, p := range properties {
		if err := geminiSchema(p); err != nil {
			return err
		}
	}
	return nil
}

// geminiRules are what holds between parts and contents.
type geminiRules struct {
	declared map[string]bool
	last     string
	open     []map[string]any // calls of the content before
}

func (g *geminiRules) content(v any, first bool) error {
	m, _ := v.(map[string]any)
	if err := fieldsOf("content", m); err != nil {
		return err
	}
	role, _ := m["role"].(string)
	if role != "user" && role != "model" {
		return fmt.Errorf("please use a valid role: user, model; not %q", role)
	}
	if first && role != "user" || role == g.last {
		return errors.New("roles have to alternate, and the user begins")
	}
	g.last = role
	parts, _ := m["parts"].([]any)
	if len(parts) == 0 {
		return errors.New("must include at least one parts field")
	}
	var calls, results []map[string]any
	for _, x := range parts {
		p, _ := x.(map[string]any)
		if err := geminiPart(p, role, len(calls) == 0); err != nil {
			return err
		}
		if c, ok := p["functionCall"].(map[string]any); ok {
			if name, _ := c["name"].(string); len(g.declared) > 0 && !g.declared[name] {
				return fmt.Errorf("a call of %q, which is not declared", name)
			}
			calls = append(calls, c)
		}
		if r, ok := p["functionResponse"].(map[string]any); ok {
			results = append(results, r)
		}
	}
	if err := answered(g.open, results); err != nil {
		return err
	}
	g.open = calls
	return nil
}

// answered holds results to the calls before them.
func answered(calls, results []map[string]any) error {
	if len(calls) != len(results) {
		return fmt.Errorf("please ensure that the number of function response parts is equal to the number of function call parts of the function call turn: %d, %d",
			len(results), len(calls))
	}
	left := slices.Clone(calls)
	for _, r := range results {
		i := slices.IndexFunc(left, func(c map[string]any) bool { return c["name"] == r["name"] && (c["id"] == nil || c["id"] == r["id"]) })
		if i < 0 {
			return fmt.Errorf("a function response of %v answers no call", r["name"])
		}
		left = slices.Delete(left, i, i+1)
	}
	return nil
}

func geminiPart(p map[string]any, role string, firstCall bool) error {
	if err := fieldsOf("part", p); err != nil {
		return err
	}
	data := ""
	for _, k := range geminiData {
		if _, there := p[k]; there {
			if data != "" {
				return fmt.Errorf("oneof field 'data' is already set: %s and %s", data, k)
			}
			data = k
		}
	}
	if data == "" {
		return errors.New("required oneof field 'data' must have one initialized field")
	}
	switch data {
	case "text":
		return geminiText(p, role)
	case "functionCall":
		return geminiCall(p, role, firstCall)
	case "functionResponse":
		r, err := objectAt(p, "functionResponse", "functionResponse")
		if _, object := r["response"].(map[string]any); err == nil && (role != "user" || !object) {
			err = errors.New("a function response is the user's, and its response is an object")
		}
		return err
	}
	return nil
}

func geminiText(p map[string]any, role string) error {
	text, ok := p["text"].(string)
	sign, signed := p["thoughtSignature"]
	switch {
	case !ok:
		return errors.New("text has to be a text")
	case signed && (role != "model" || sign != Sign(text)):
		return errors.New("thought signature is not valid")
	}
	return nil
}

// geminiCall holds a call to its rules. The first one of a content has the signature of what the model thought, unchanged.
func geminiCall(p map[string]any, role string, first bool) error {
	c, err := objectAt(p, "functionCall", "functionCall")
	if err != nil {
		return err
	}
	name, _ := c["name"].(string)
	args, object := c["args"].(map[string]any)
	sign, signed := p["thoughtSignature"]
	switch {
	case role != "model" || name == "":
		return errors.New("a function call is the model's, and has a name")
	case c["args"] != nil && !object:
		return errors.New("args has to be an object")
	case first && !signed:
		return fmt.Errorf("function call is missing a thought_signature in functionCall parts: %s", name)
	case signed && sign != SignCall(name, args):
		return errors.New("thought signature is not valid")
	}
	return nil
}
