package dev.outpost.backend.identity;

import java.time.Duration;
import java.util.Optional;

/**
 * How people log in.
 *
 * @param issuer nothing where they log in by keys alone
 * @param keyLife how long the key of a login holds
 * @param memberLife how long after a login somebody has the roles that groups gave
 */
public record Login(Optional<Issuer> issuer, RoleMap roles, Duration keyLife, Duration memberLife) {
    private static final Duration MEMBER_LIFE = Duration.ofHours(24);

    /** Uses the configured life of a membership, or 24 hours, and at least the life of a login's key. */
    public static Login of(Optional<Issuer> issuer, RoleMap roles, Duration keyLife, Optional<Duration> memberLife) {
        return new Login(
                issuer, roles, keyLife, memberLife.orElse(keyLife.compareTo(MEMBER_LIFE) > 0 ? keyLife : MEMBER_LIFE));
    }

    public Login {
        if (memberLife.compareTo(keyLife) < 0) {
            throw new IllegalArgumentException("OUTPOST_BACKEND_OIDC_MEMBER_LIFE: expected " + keyLife
                    + " or more, as long as the key of a login holds, got " + memberLife);
        }
    }
}
