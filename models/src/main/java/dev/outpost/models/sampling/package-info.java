/** Chooses tokens by the sampling rule of each text. */
package dev.outpost.models.sampling;
