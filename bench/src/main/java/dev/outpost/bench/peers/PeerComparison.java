package dev.outpost.bench.peers;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One workload, one way of ours to do it, and one peer.
 *
 * @param oursMs the median of a step, in milliseconds; so is peerMs
 */
public record PeerComparison(
        @JsonProperty("workload") String workload,
        @JsonProperty("variant") String variant,
        @JsonProperty("ours_ms") double oursMs,
        @JsonProperty("peer") String peer,
        @JsonProperty("peer_ms") double peerMs) {

    /** Above 1, ours is faster. */
    @JsonProperty("ratio")
    public double ratio() {
        return peerMs / oursMs;
    }
}
