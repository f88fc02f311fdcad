/** Architectures of models, and what they share. */
package dev.outpost.models.architecture;
