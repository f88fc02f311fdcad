package dev.outpost.rest.machine;

import java.time.Duration;
import java.util.List;

/**
 * The request of a client.
 *
 * @param project which project pays; the key's, or {@code default}
 * @param gpu a name of the catalogue, or {@code any}
 * @param gpus how many; 1 unless given
 * @param life how long it lives at the most, such as {@code PT2H}
 * @param lease how long it outlives its last client, such as {@code PT1M}
 * @param idle how long it lives without an instruction
 * @param owner who asks, as a list shows it
 * @param tokenSha256 the SHA-256 of the token that the client has drawn, in hex; the token itself stays with the client
 * @param secrets the names of secrets of the project that the machine's sources are given, such as {@code HF_TOKEN}
 */
public record MachineRequest(
        String project,
        String gpu,
        Integer gpus,
        Duration life,
        Duration lease,
        Duration idle,
        String owner,
        String tokenSha256,
        List<String> secrets) {}
