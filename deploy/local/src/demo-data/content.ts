/** The assets of the demo. Each kind has a shape that is drawn for its picture. */
export type Kind = {
  category: string;
  months: number;
  shape: string;
  /** Name, manufacturer and cost of its assets. */
  models: readonly (readonly [name: string, manufacturer: string, cost: number])[];
};

export const kinds: readonly Kind[] = [
  {
    category: "Laptops",
    months: 36,
    shape: '<rect x="70" y="80" width="180" height="112" rx="10"/><path d="M44 208h232l-14 20H58z"/>',
    models: [
      ["ThinkPad X1 Carbon", "Lenovo", 1849],
      ["MacBook Air 13", "Apple", 1299],
      ["Latitude 7450", "Dell", 1540],
      ["EliteBook 840", "HP", 1399],
    ],
  },
  {
    category: "Power tools",
    months: 60,
    shape: '<path d="M62 92h150l46 26-46 26h-62l-14 96H92l12-96H62z"/>',
    models: [
      ["Rotary hammer TE 30", "Hilti", 1120],
      ["Angle grinder GWS 18V", "Bosch", 289],
      ["Cordless drill DDF485", "Makita", 259],
      ["Circular saw HKC 55", "Festool", 429],
    ],
  },
  {
    category: "Measuring instruments",
    months: 84,
    shape: '<circle cx="160" cy="160" r="86"/><path d="M160 160l44-54" stroke-width="16"/>',
    models: [
      ["Thermometer 735-2", "Testo", 312],
      ["Multimeter 87V", "Fluke", 565],
      ["Torque wrench 40-200", "Stahlwille", 388],
      ["Laser level GLL 3-80", "Bosch", 349],
    ],
  },
  {
    category: "Furniture",
    months: 120,
    shape: '<path d="M60 120h200v24H60zM76 144h20v96H76zM224 144h20v96h-20z"/>',
    models: [
      ["Oak desk 160 x 80", "Vitra", 890],
      ["Office chair Aeron", "Herman Miller", 1390],
      ["Meeting table Round", "USM", 1720],
      ["Lockable cabinet", "Bisley", 410],
    ],
  },
  {
    category: "Network",
    months: 60,
    shape:
      '<rect x="50" y="126" width="220" height="68" rx="10"/><path d="M84 126l-22-54M236 126l22-54" stroke-width="12"/>',
    models: [
      ["Switch CRS328", "MikroTik", 455],
      ["Access point U6 Pro", "Ubiquiti", 159],
      ["Firewall 60F", "Fortinet", 640],
      ["Rack server R650", "Dell", 6200],
    ],
  },
];

export const places = [
  {
    property: "Headquarters",
    building: "Main building",
    floor: "Ground floor",
    rooms: ["Reception", "Workshop", "Warehouse"],
  },
  {
    property: "Headquarters",
    building: "Main building",
    floor: "Second floor",
    rooms: ["Office 2.14", "Office 2.15", "Server room"],
  },
  { property: "Branch Lyon", building: "Pavilion", floor: "First floor", rooms: ["Sales", "Laboratory"] },
] as const;

export const departments = ["Operations", "Engineering", "Sales"] as const;

export const people = [
  ...[
    "Ada Lovelace",
    "Grace Hopper",
    "Alan Turing",
    "Katherine Johnson",
    "Linus Pauling",
    "Rosalind Franklin",
  ],
  ...["Nikola Tesla", "Chien-Shiung Wu"],
] as const;
