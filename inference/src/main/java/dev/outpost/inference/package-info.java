/** Generates texts of many callers with one model, step by step together. */
package dev.outpost.inference;
