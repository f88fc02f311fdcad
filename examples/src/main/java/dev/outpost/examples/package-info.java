/** Programs to read and to run. Each takes a provider and a GPU as its first arguments: {@code mock A100} unless given. */
package dev.outpost.examples;
