package dev.outpost.provider;

import java.io.IOException;
import java.io.OutputStream;

/** The second piece of a frame that is in two, written where it is sent from. */
public interface FrameBody {
    int length();

    void writeTo(OutputStream out) throws IOException;
}
