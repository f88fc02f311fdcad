/** Fine-tuning of a language model from a configuration. */
package dev.outpost.models.training.tuning;
