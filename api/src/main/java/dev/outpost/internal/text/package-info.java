/**
 * Tensors as text, as PyTorch prints them.
 */
package dev.outpost.internal.text;
