// Package shape holds tests on the shape of the code: which package may import which, that every package says what it is
// for, and that no file grows out of hand. It holds no code for the product.
package shape
