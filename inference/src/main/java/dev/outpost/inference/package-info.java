/** Generates texts for many callers with one model. Each step computes tokens of several texts. */
package dev.outpost.inference;
