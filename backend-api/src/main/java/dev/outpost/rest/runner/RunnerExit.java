package dev.outpost.rest.runner;

/** A program that has ended. */
public record RunnerExit(String runner, int code, boolean timeout, String text) {}
