/** Training: the loop, its checkpoints and metrics, and fine-tuning of language models from a configuration. */
package dev.outpost.models.training;
