package dev.outpost.provider;

/** The second piece of a frame that is in two, copied where it is sent from. */
public interface FrameBody {
    int length();

    /** Copies all of it to a place in an array. */
    void copyTo(byte[] target, int at);
}
