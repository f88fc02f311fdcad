/**
 * All ops by PyTorch's names and signatures: {@link dev.outpost.vocabulary.Ops} calls them, one file for each family says
 * which typed method answers.
 */
@NullMarked
package dev.outpost.vocabulary;

import org.jspecify.annotations.NullMarked;
