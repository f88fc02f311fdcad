package dev.outpost.rest.tenant;

/** The endpoints of the issuer by which clients log in. One that the issuer has not is empty. */
public record IdentityView(
        String issuer,
        String clientId,
        String deviceEndpoint,
        String tokenEndpoint,
        String authorizationEndpoint,
        String endSessionEndpoint) {}
