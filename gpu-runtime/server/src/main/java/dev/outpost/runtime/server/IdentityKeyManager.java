package dev.outpost.runtime.server;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Presents the machine's certificate in TLS handshakes. It is used instead of a key store, which would encrypt its content in memory. That
 * takes a quarter of the start time.
 */
final class IdentityKeyManager extends X509ExtendedKeyManager {
    private static final String ALIAS = "machine";

    private final PrivateKey key;
    private final X509Certificate[] chain;

    IdentityKeyManager(PrivateKey key, X509Certificate[] chain) {
        this.key = key;
        this.chain = chain.clone();
    }

    @Override
    public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
        return serverAlias(keyType);
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        return serverAlias(keyType);
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
        return serverAlias(keyType) == null ? null : new String[] {ALIAS};
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return ALIAS.equals(alias) ? chain.clone() : null;
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return ALIAS.equals(alias) ? key : null;
    }

    @Override
    public String[] getClientAliases(String keyType, Principal[] issuers) {
        return null;
    }

    @Override
    public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
        return null;
    }

    /** Returns the alias for a key type. Types may have a suffix, as in {@code EC_EC}. */
    private String serverAlias(String keyType) {
        return keyType.equals(key.getAlgorithm()) || keyType.startsWith(key.getAlgorithm() + "_") ? ALIAS : null;
    }
}
