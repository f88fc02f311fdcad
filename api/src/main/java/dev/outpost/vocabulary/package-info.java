/**
 * All ops by PyTorch's names and signatures: {@link dev.outpost.vocabulary.Ops} calls them. One class for each family maps its names to
 * typed methods.
 */
@NullMarked
package dev.outpost.vocabulary;

import org.jspecify.annotations.NullMarked;
