"""A certificate authority of a test, and a loopback server that shows a certificate of it."""

from __future__ import annotations

import ssl
from datetime import timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from core.clock import utcnow
from tests.support.servers.loopback import LoopbackServer

_KEY_FORM = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def speak_tls(server: LoopbackServer, name: str, folder: Path) -> ssl.SSLContext:
    """Have `server` show a certificate for `name`; the context of a client that trusts it."""
    context, certificate = certified(name, folder)
    server._http.socket = context.wrap_socket(server._http.socket, server_side=True, do_handshake_on_connect=False)
    return ssl.create_default_context(cadata=certificate.read_text())


def certified(name: str, folder: Path) -> tuple[ssl.SSLContext, Path]:
    """The context of a server that shows a certificate for `name`, and the file of that certificate."""
    key = ec.generate_private_key(ec.SECP256R1())
    pem, public = folder / "server.pem", folder / "certificate.pem"
    certificate = _certificate(name, key).public_bytes(serialization.Encoding.PEM)
    pem.write_bytes(key.private_bytes(*_KEY_FORM) + certificate)
    public.write_bytes(certificate)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    return context, public


def _certificate(name: str, key: ec.EllipticCurvePrivateKey) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = utcnow()
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
