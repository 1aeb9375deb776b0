// Package redact takes secrets out of text before anything is written to disk.
//
// Three layers look at a text:
//   - the default rules of gitleaks, unchanged (gitleaks.toml). One pass of an Aho-Corasick automaton finds every literal that
//     a rule needs; the rule's expression then runs only in a window around it that is wide enough to hold any match, so the
//     result is that of a full scan at many times its speed;
//   - rules of our own for what those rules do not know: values assigned to secret names in any notation, headers, URLs with
//     credentials, tokens that carry their maker's prefix, key blocks, secrets in base64 or broken over lines;
//   - the user's own expressions, and <private> spans.
//
// Guards then take out what only looks like a secret: placeholders, variables, hashes, UUIDs, paths, code, and
// what no maker gives out in that form (grammar.go).
//
// A secret becomes [redacted:<family>:<6 hex>], where the digits are an HMAC of the secret: the same secret has the same
// placeholder everywhere, and nobody without the key can test a guess. Redacting twice changes nothing.
//
// The package fails closed: whoever gets an error gets an empty text. It never writes, logs or returns a secret, and never
// judges whether a text is worth keeping.
package redact
