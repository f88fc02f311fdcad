/** Example programs. The first arguments are a provider and a GPU, by default {@code mock A100}. */
package dev.outpost.examples;
