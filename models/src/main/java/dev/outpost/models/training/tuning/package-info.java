/** Fine-tuning of a language model from beginning to end, by a description. */
package dev.outpost.models.training.tuning;
