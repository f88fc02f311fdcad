/** A language model that is made, trained and fine-tuned. */
package dev.outpost.examples.tuning;
