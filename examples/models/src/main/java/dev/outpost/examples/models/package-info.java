/** Programs with models, from their training to text. */
package dev.outpost.examples.models;
