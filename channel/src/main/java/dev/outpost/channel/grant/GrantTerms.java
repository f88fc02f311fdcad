package dev.outpost.channel.grant;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The rights of a token's holder on a runtime.
 *
 * @param role the purpose of the token: to open sessions, to observe the machine, or to manage grants
 * @param project the project to which its use is reported: up to 100 letters, digits and {@code . _ / -}; may be
 *     empty
 * @param memoryBytes the maximum number of bytes of the values of all its sessions together; if empty, all of the
 *     machine's memory
 * @param weight the weight of its sessions together when they share the engine's time with other grants, 1 to 10,000,
 *     inclusive
 * @param sessions the maximum number of sessions at the same time; if empty, as many as the machine accepts
 * @param expires the time at which the token becomes invalid and its sessions end, by the machine's clock; if empty, never
 */
public record GrantTerms(
        Role role,
        String project,
        OptionalLong memoryBytes,
        int weight,
        OptionalInt sessions,
        Optional<Instant> expires) {
    /** The default weight of a grant. */
    public static final int NORMAL_WEIGHT = 100;

    /** The highest weight. */
    public static final int MAX_WEIGHT = 10_000;

    private static final Pattern PROJECT = Pattern.compile("[A-Za-z0-9._/-]{0,100}");

    /** All rights of a session, without an end. */
    public static final GrantTerms ALL =
            new GrantTerms(Role.USE, "", OptionalLong.empty(), NORMAL_WEIGHT, OptionalInt.empty(), Optional.empty());

    /** The purpose of a token. */
    public enum Role {
        /** It opens sessions. */
        USE,

        /** It observes the machine's sessions and counters. It opens no session. */
        OBSERVE,

        /** It binds, changes and revokes grants, and reads their use. It opens no session. */
        MANAGE
    }

    public GrantTerms {
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(memoryBytes, "memoryBytes");
        Objects.requireNonNull(sessions, "sessions");
        Objects.requireNonNull(expires, "expires");
        if (!PROJECT.matcher(project).matches()) {
            throw new IllegalArgumentException(
                    "project: expected up to 100 letters, digits and . _ / -, got " + project.length() + " characters");
        }
        requirePositive("memory", memoryBytes.orElse(1));
        requirePositive("sessions", sessions.orElse(1));
        if (weight < 1 || weight > MAX_WEIGHT) {
            throw new IllegalArgumentException("weight: expected 1 to " + MAX_WEIGHT + ", got " + weight);
        }
    }

    private static void requirePositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": expected 1 or more, got " + value);
        }
    }

    public GrantTerms withRole(Role other) {
        return new GrantTerms(other, project, memoryBytes, weight, sessions, expires);
    }

    public GrantTerms withProject(String other) {
        return new GrantTerms(role, other, memoryBytes, weight, sessions, expires);
    }

    public GrantTerms withMemoryBytes(long bytes) {
        return new GrantTerms(role, project, OptionalLong.of(bytes), weight, sessions, expires);
    }

    public GrantTerms withWeight(int other) {
        return new GrantTerms(role, project, memoryBytes, other, sessions, expires);
    }

    public GrantTerms withSessions(int max) {
        return new GrantTerms(role, project, memoryBytes, weight, OptionalInt.of(max), expires);
    }

    public GrantTerms withExpires(Instant end) {
        return new GrantTerms(role, project, memoryBytes, weight, sessions, Optional.of(end));
    }

    public boolean isOver(Instant now) {
        return expires.isPresent() && !now.isBefore(expires.get());
    }

    // ---- text form

    /** Returns the terms as in a runtime's grants file: {@code project=acme/vision memory=1073741824}; empty for {@link #ALL}. */
    public String text() {
        List<String> words = new ArrayList<>();
        if (role != Role.USE) {
            words.add("role=" + role.name().toLowerCase(Locale.ROOT));
        }
        if (!project.isEmpty()) {
            words.add("project=" + project);
        }
        memoryBytes.ifPresent(bytes -> words.add("memory=" + bytes));
        if (weight != NORMAL_WEIGHT) {
            words.add("weight=" + weight);
        }
        sessions.ifPresent(max -> words.add("sessions=" + max));
        expires.ifPresent(end -> words.add("expires=" + end));
        return String.join(" ", words);
    }

    /**
     * Parses the result of {@link #text}.
     *
     * @throws IllegalArgumentException if the text is malformed; the message does not repeat it
     */
    public static GrantTerms parse(String text) {
        GrantTerms terms = ALL;
        Set<String> said = new HashSet<>();
        for (String word : text.isBlank() ? new String[0] : text.strip().split("\\s+")) {
            String name = word.substring(0, Math.max(0, word.indexOf('=')));
            if (!said.add(name)) {
                throw malformed();
            }
            terms = terms.with(name, word.substring(name.length() + 1));
        }
        return terms;
    }

    private GrantTerms with(String name, String value) {
        try {
            return switch (name) {
                case "role" -> withRole(Role.valueOf(value.toUpperCase(Locale.ROOT)));
                case "project" -> withProject(value);
                case "memory" -> withMemoryBytes(Long.parseLong(value));
                case "weight" -> withWeight(Integer.parseInt(value));
                case "sessions" -> withSessions(Integer.parseInt(value));
                case "expires" -> withExpires(Instant.parse(value));
                default -> throw malformed();
            };
        } catch (IllegalArgumentException | DateTimeException ignored) {
            throw malformed();
        }
    }

    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException("grant: expected words such as project=acme/vision memory=1073741824 "
                + "weight=200 sessions=2 expires=2026-01-01T00:00:00Z, each once, got something else");
    }
}
