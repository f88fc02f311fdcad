package dev.outpost.rest;

/** The limit that bound. */
public record LimitView(String name, long used, long asked, long allowed) {}
