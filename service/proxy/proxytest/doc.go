// Package proxytest is a provider for tests that takes nothing which the real one would refuse: it holds requests to the parameter types
// of the provider's own library, with unknown fields refused, and to the rules that its documentation gives beside them.
//
// It is part of no program and never reaches a network.
package proxytest
