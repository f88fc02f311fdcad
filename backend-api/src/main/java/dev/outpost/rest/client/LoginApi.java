package dev.outpost.rest.client;

import dev.outpost.rest.tenant.IdentityView;
import dev.outpost.rest.tenant.LoggedIn;
import dev.outpost.rest.tenant.LoginRequest;

/** Calls by which a person logs in and gets a key. */
public record LoginApi(BackendClient client) {
    /** Returns the issuer by which people log in. */
    public IdentityView identity() {
        return client.get("/v1/identity", IdentityView.class);
    }

    public LoggedIn login(LoginRequest request) {
        return client.post("/v1/identity/login", request, LoggedIn.class);
    }
}
