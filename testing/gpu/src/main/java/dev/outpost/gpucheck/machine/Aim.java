package dev.outpost.gpucheck.machine;

import java.util.Locale;

/**
 * The intended speed of a work.
 *
 * @param peer the peer that computes the same: PyTorch ({@code eager} or {@code compiled}) or {@code vLLM}
 * @param factor the intended speed, as a factor of the peer's
 */
record Aim(String peer, double factor) {
    String peerName() {
        return peer.equals("vLLM") ? peer : "PyTorch " + peer;
    }

    String describe(double milliseconds, double peerMilliseconds) {
        double reached = peerMilliseconds / milliseconds;
        return String.format(
                Locale.ROOT,
                "%s %.3f ms, so %.2f of its speed (aim %.2f, %s)",
                peerName(),
                peerMilliseconds,
                reached,
                factor,
                reached >= factor ? "reached" : "missed");
    }
}
