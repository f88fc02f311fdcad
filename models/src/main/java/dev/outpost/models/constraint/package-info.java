/** Texts that follow a JSON schema, an expression or a grammar: from characters to the tokens that may come next. */
package dev.outpost.models.constraint;
