/** Chooses tokens by the rules of each text. */
package dev.outpost.models.sampling;
