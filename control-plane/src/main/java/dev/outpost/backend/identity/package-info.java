/** The identity of people, confirmed by an issuer of OpenID Connect, and the sessions of their browsers. */
package dev.outpost.backend.identity;
