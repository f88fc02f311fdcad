package dev.outpost.client;

/** What holds the value that a tensor and all of its views share. Two are the same where they are the same object. */
public interface Storage {
    ValueHandle handle();
}
