/** The identity of people, confirmed by an issuer of OpenID Connect. */
package dev.outpost.backend.identity;
