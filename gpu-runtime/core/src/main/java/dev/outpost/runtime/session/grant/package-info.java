/** The rights of each token, and the resources of its sessions together. */
package dev.outpost.runtime.session.grant;
