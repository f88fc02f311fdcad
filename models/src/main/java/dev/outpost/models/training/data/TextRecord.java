package dev.outpost.models.training.data;

/**
 * A line of a data set.
 *
 * @param text without what ends the line
 * @param place what errors call it
 */
record TextRecord(String text, String place) {}
