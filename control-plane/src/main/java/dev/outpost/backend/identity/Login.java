package dev.outpost.backend.identity;

import java.time.Duration;
import java.util.Optional;

/**
 * How people log in.
 *
 * @param issuer nothing where they log in by keys alone
 * @param keyLife how long the key of a login holds
 */
public record Login(Optional<Issuer> issuer, RoleMap roles, Duration keyLife) {}
