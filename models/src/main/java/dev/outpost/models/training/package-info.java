/** Training: the loop, its state in checkpoints, its measurements, and fine-tuning of language models from a description. */
package dev.outpost.models.training;
