package dev.outpost.house.source;

/** One line of a comment. */
public record Comment(String text, int line) {}
