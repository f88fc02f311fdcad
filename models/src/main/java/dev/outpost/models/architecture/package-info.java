/** Architectures of models, and the parts that they share. */
package dev.outpost.models.architecture;
