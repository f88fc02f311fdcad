/** Texts of tensors in the format of PyTorch. */
package dev.outpost.internal.text;
