package dev.outpost.rest.tenant;

/** The issuer by which people log in, and its endpoints. An endpoint that the issuer lacks is an empty text. */
public record IdentityView(
        String issuer,
        String clientId,
        String deviceEndpoint,
        String tokenEndpoint,
        String authorizationEndpoint,
        String endSessionEndpoint) {}
