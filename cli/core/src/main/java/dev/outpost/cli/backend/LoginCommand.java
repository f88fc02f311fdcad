package dev.outpost.cli.backend;

import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.cli.support.SecretInput;
import dev.outpost.rest.client.BackendAccess;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.MachinesApi;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Stores a backend's address and a key for this user. */
@Command(
        name = "login",
        description = "Keep a backend's address and your key in a file that only you can read.",
        footer = {
            "",
            "The key is asked for, or read from standard input where that is no terminal: on a command line others on this",
            "host could read it. OUTPOST_API, OUTPOST_API_KEY and OUTPOST_API_CA go before what is kept."
        })
public final class LoginCommand extends PrintingCommand {
    @Parameters(paramLabel = "ADDRESS", description = "Such as https://gpu.example.org.")
    private String address;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "The certificates in PEM of a private authority that has issued the backend's.")
    private Path authority;

    @Option(names = "--oidc", description = "Log in by the backend's issuer, in a browser on any device.")
    private boolean oidc;

    @Option(
            names = "--organisation",
            paramLabel = "NAME",
            description = "With --oidc, where your groups have roles in several.")
    private String organisation;

    @Option(
            names = "--project",
            paramLabel = "NAME",
            description =
                    "With --oidc, for which project the key is; needed where your groups have roles in several projects.")
    private String project;

    @Override
    public void run() {
        BackendAccess access = oidc
                ? new DeviceLogin(out()).login(address, authority, organisation, project)
                : BackendAccess.of(address, SecretInput.read("login", "key")).withAuthority(authority);
        // A key that the backend refuses must not be stored, so try it first.
        new MachinesApi(new BackendClient(access)).gpus();
        try {
            access.login();
        } catch (IOException failure) {
            throw new IllegalStateException("login: the key cannot be kept: " + failure.getMessage(), failure);
        }
        println("logged in at " + access.address());
    }
}
