package dev.outpost.bench.peers;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One workload, one variant of Outpost, and one peer.
 *
 * @param oursMs the median time of a step, in milliseconds, like peerMs
 */
public record PeerComparison(
        @JsonProperty("workload") String workload,
        @JsonProperty("variant") String variant,
        @JsonProperty("ours_ms") double oursMs,
        @JsonProperty("peer") String peer,
        @JsonProperty("peer_ms") double peerMs) {

    /** Returns the peer's time divided by ours; above 1 Outpost is faster. */
    @JsonProperty("ratio")
    public double ratio() {
        return peerMs / oursMs;
    }
}
