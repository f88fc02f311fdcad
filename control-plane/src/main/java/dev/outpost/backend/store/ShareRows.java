package dev.outpost.backend.store;

import dev.outpost.backend.model.PromisedMemory;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.channel.grant.GrantTerms.Role;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The table of shared machines. Changes need a lock of the machine's row. */
public final class ShareRows {
    private ShareRows() {}

    /** Returns the bytes of a machine's memory that are reserved for grants; empty if the machine is exclusive. */
    public static OptionalLong find(Sql sql, UUID machine) {
        return sql.one(
                        "SELECT memory_bytes FROM machine_shares WHERE machine = ?",
                        row -> OptionalLong.of(row.number("memory_bytes")),
                        machine)
                .orElseGet(OptionalLong::empty);
    }

    /**
     * Returns the reason why a grant of a machine cannot have these terms. Exclusive machines and grants that only observe have no reserved
     * memory.
     */
    public static Optional<String> check(Sql sql, UUID machine, String sha256, GrantTerms terms) {
        OptionalLong shared = find(sql, machine);
        return shared.isEmpty() || terms.role() == Role.OBSERVE
                ? Optional.empty()
                : new PromisedMemory(shared.getAsLong(), parts(live(sql, machine)))
                        .refusal(sha256, terms.memoryBytes());
    }

    /**
     * Makes a machine shared, or exclusive again.
     *
     * @return the reason why the existing grants do not allow it
     */
    public static Optional<String> set(Sql sql, UUID machine, OptionalLong bytes) {
        if (bytes.isEmpty()) {
            sql.update("DELETE FROM machine_shares WHERE machine = ?", machine);
            return Optional.empty();
        }
        List<GrantRows.Stored> live = live(sql, machine);
        Optional<String> unbounded = live.stream()
                .filter(grant -> grant.terms().memoryBytes().isEmpty())
                .map(grant -> "grant " + grant.sha256() + " of " + grant.owner()
                        + " has no part of the memory; change it to one with memoryBytes first")
                .findFirst();
        Optional<String> refusal = unbounded.or(() -> new PromisedMemory(bytes.getAsLong(), parts(live)).excess());
        if (refusal.isEmpty()) {
            sql.update(
                    "INSERT INTO machine_shares (machine, memory_bytes) VALUES (?, ?)"
                            + " ON CONFLICT (machine) DO UPDATE SET memory_bytes = excluded.memory_bytes",
                    machine,
                    bytes.getAsLong());
        }
        return refusal;
    }

    private static List<GrantRows.Stored> live(Sql sql, UUID machine) {
        return GrantRows.of(sql, machine).stream()
                .filter(grant -> grant.revoked().isEmpty() && !grant.terms().isOver(sql.now()))
                .filter(grant -> grant.terms().role() == Role.USE)
                .toList();
    }

    private static Map<String, Long> parts(List<GrantRows.Stored> live) {
        Function<GrantRows.Stored, Long> part =
                grant -> grant.terms().memoryBytes().orElse(0);
        return live.stream().collect(Collectors.toMap(GrantRows.Stored::sha256, part));
    }
}
