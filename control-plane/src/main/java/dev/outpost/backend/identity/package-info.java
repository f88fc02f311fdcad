/** Who somebody is, as an issuer of OpenID Connect says it. */
package dev.outpost.backend.identity;
