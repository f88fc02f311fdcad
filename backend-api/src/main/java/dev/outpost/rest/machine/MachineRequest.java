package dev.outpost.rest.machine;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request for a machine.
 *
 * @param project the project that pays; the key's by default, or {@code default}
 * @param gpu a kind of the catalogue, or {@code any}
 * @param gpus the number of GPUs; 1 by default
 * @param life the longest life, such as {@code PT2H}
 * @param lease the time that the machine lives without a client, such as {@code PT1M}
 * @param idle the time that the machine lives without an instruction
 * @param owner the name of the requester in lists
 * @param tokenSha256 the SHA-256, in hex, of the token that the client has drawn; the client keeps the token itself
 * @param secrets the names of secrets of the project that the machine's sources get, such as {@code HF_TOKEN}
 */
public record MachineRequest(
        @Nullable String project,
        String gpu,
        @Nullable Integer gpus,
        @Nullable Duration life,
        @Nullable Duration lease,
        @Nullable Duration idle,
        @Nullable String owner,
        @Nullable String tokenSha256,
        @Nullable List<String> secrets) {}
