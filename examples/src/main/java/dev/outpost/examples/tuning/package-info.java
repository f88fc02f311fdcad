/** Creation, training and fine-tuning of a language model. */
package dev.outpost.examples.tuning;
