package dev.outpost.models.training.data;

/**
 * A line of a data set.
 *
 * @param text the line without its line end
 * @param place the position in error messages
 */
record TextRecord(String text, String place) {}
